/** `9:05`, of milliseconds; hours in front where there are some. Below zero there is nothing left. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60]
  const hours = Math.floor(seconds / 3_600)
  const two = (value: number) => String(value).padStart(2, '0')
  return hours === 0 ? `${parts[0]}:${two(parts[1] ?? 0)}` : [String(hours), ...parts.map(two)].join(':')
}
