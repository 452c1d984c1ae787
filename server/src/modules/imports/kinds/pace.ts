/** The files of so many days are judged together: many may not do what one may not. */
export const daysOfPace = 7;
/** So many times the limit of one file they may change. */
export const fullDays = 3;
