/** Many files may not do what one may not: those of so many days are judged together, */
export const daysOfPace = 7;
/** and may do as much as so many days of them. */
export const fullDays = 3;
