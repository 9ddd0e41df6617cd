export const value = await Promise.resolve(Math.random());
