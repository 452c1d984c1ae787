/** How much the site sends and serves, whichever office it is for. */
export interface SiteLimits {
  readonly emailPerSecond: number | null;
  /** In any 24 hours. */
  readonly emailPerDay: number | null;
  /** 0: it serves any number. */
  readonly visitsPerSecond: number;
}

export function siteLimitsOf(values: {
  readonly EMAIL_PER_SECOND?: number | undefined;
  readonly EMAIL_PER_DAY?: number | undefined;
  readonly SITE_VISITS_PER_SECOND: number;
}): SiteLimits {
  return {
    emailPerSecond: values.EMAIL_PER_SECOND ?? null,
    emailPerDay: values.EMAIL_PER_DAY ?? null,
    visitsPerSecond: values.SITE_VISITS_PER_SECOND,
  };
}
