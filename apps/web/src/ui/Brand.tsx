import '@aval/look/brand.css'

/** The mark: a shield with a tick, on the accent. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <span className="brand-mark" style={{ width: size, height: size }} aria-hidden="true">
      <svg viewBox="0 0 32 32" width={size} height={size} fill="none" stroke="currentColor" strokeWidth="2">
        <title>Aval</title>
        <path
          d="M16 6.2c2.7 2.2 5.6 3 8.6 2.800.9 7.300-2 13.800-8.6 16.8-6.6-3-9.5-9.5-8.6-16.8 3 .2 5.900-.6 8.6-2.8z"
          strokeLinejoin="round"
        />
        <path d="m12 15.8 3 3 5.300-5.6" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  )
}

export function Brand() {
  return (
    <span className="brand" translate="no">
      <BrandMark />
      <span className="brand-name">Aval</span>
    </span>
  )
}
