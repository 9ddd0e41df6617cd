export const late = 'word';
