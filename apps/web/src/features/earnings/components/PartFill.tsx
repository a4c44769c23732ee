import type { Part } from '../earnings.ts'

/** Full, hatched, hollow: told apart without any colour, in the legend as in the bars. */
const FILLS: Record<Part, string> = {
  passive: 'var(--accent)',
  direct: 'url(#part-hatch)',
  binary: 'var(--card)',
}

export function fillOf(part: Part): string {
  return FILLS[part]
}

/** The hatching. One drawing of it serves the whole page. */
export function PartPatterns() {
  return (
    <defs>
      <pattern
        id="part-hatch"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="5" height="5" className="part-ground" />
        <rect width="2" height="5" className="part-line" />
      </pattern>
    </defs>
  )
}

export function Swatch({ part }: { part: Part }) {
  return (
    <svg width="12" height="12" className="part-swatch" aria-hidden="true">
      <rect x="0.5" y="0.5" width="11" height="11" rx="3" className="part" style={{ fill: fillOf(part) }} />
    </svg>
  )
}
