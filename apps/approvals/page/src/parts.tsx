/** Small parts of the page. */
import type { ReactNode } from 'react'
import { useTexts } from './texts.ts'

/** An address whole, in groups of four, as people compare it. A screen reader and a selection get it unbroken. */
export function Address({ value }: { value: string }) {
  const groups = value.match(/.{1,4}/g) ?? []
  return (
    <span className="address">
      <span className="visually-hidden">{value}</span>
      <span aria-hidden="true" className="address-groups">
        {groups.map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups of one address never change places
          <span key={at}>{group}</span>
        ))}
      </span>
    </span>
  )
}

export function Brand() {
  return (
    <span className="brand">
      <span className="brand-mark">
        <svg viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" strokeWidth="2">
          <title>Aval</title>
          <path
            d="M16 6.2c2.7 2.2 5.6 3 8.6 2.8.9 7.3-2 13.8-8.6 16.8-6.6-3-9.5-9.5-8.6-16.8 3 .2 5.9-.6 8.6-2.8z"
            strokeLinejoin="round"
          />
          <path d="m12 15.8 3 3 5.3-5.6" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      </span>
      <span className="brand-name">Aval</span>
    </span>
  )
}

export function Notice({ kind, children }: { kind: 'ok' | 'wait' | 'bad' | 'note'; children: ReactNode }) {
  return <div className={`notice notice-${kind}`}>{children}</div>
}

/** Why something was refused. Announced when it appears. */
export function Failure({ code }: { code: string | null }) {
  const { sayCode } = useTexts()
  return <div role="alert">{code === null ? null : <Notice kind="bad">{sayCode(code)}</Notice>}</div>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted small">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
