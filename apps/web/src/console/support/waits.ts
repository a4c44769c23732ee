/** How long somebody waited, in its two largest units: which text says it, and with what figures. */
export interface Wait {
  readonly unit: 'minute' | 'minutes' | 'hours' | 'days'
  readonly figures: Readonly<Record<string, number>>
}

const HOUR = 60
const DAY = 24 * HOUR

export function waitOf(seconds: number): Wait {
  const all = Math.floor(seconds / 60)
  if (all < 1) return { unit: 'minute', figures: {} }
  if (all < HOUR) return { unit: 'minutes', figures: { minutes: all } }
  const hours = Math.floor(all / HOUR)
  if (all < DAY) return { unit: 'hours', figures: { hours, minutes: all % HOUR } }
  return { unit: 'days', figures: { days: Math.floor(all / DAY), hours: hours % 24 } }
}
