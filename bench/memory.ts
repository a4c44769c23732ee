/** How much memory a Node process has held at most. */
import { readFileSync } from 'node:fs'

const MB = 1024

/** Of this process since it was started, in MB. */
export function peakRssMb(): number {
  return Math.round(process.resourceUsage().maxRSS / MB)
}

/**
 * Of this process, where it is a child. On Linux `maxRSS` of a child begins with what its parent held when it was forked
 * (exec keeps it), so the kernel is asked for the peak of this program alone.
 */
export function peakRssOfChildMb(): number {
  if (process.platform !== 'linux') return peakRssMb()
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return peak === undefined ? peakRssMb() : Math.round(Number.parseInt(peak, 10) / MB)
}
