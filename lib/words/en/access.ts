export const access = {};

export type AccessWords = typeof access;
