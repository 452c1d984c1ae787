/** As many voters as a clerk can compare at a glance. */
export const listedVoters = 20;

/** As many messages as a clerk can read through during a call. */
export const shownMessages = 50;
export const shownNotes = 100;
