/** By the member's own clock: before 12, before 18, and after. */
export function greetingAt(hour: number) {
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'night'
}
