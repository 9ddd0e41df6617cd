export const text = 'imported';
