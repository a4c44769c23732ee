/** How long a toast of each kind is shown, and then takes to leave; milliseconds. The library keeps at most 20 at once. */
const DURATIONS = { blank: 4000, error: 4000, success: 2000, loading: Number.POSITIVE_INFINITY, custom: 4000 }

export const TOAST_OPTIONS = {
  duration: DURATIONS.blank,
  removeDelay: 1000,
  success: { duration: DURATIONS.success },
  error: { duration: DURATIONS.error },
  loading: { duration: DURATIONS.loading },
  custom: { duration: DURATIONS.custom },
}
