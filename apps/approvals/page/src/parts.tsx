/** Small parts of the page. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTexts } from './texts.ts'

/** An address whole, in groups of four, as people compare it. A screen reader and a selection get it unbroken. */
export function Address({ value }: { value: string }) {
  return (
    <span className="address" translate="no">
      <span className="visually-hidden">{value}</span>
      <span aria-hidden="true" className="address-groups">
        {[...value.matchAll(/.{1,4}/g)].map(({ index, 0: group }) => (
          <span key={index}>{group}</span>
        ))}
      </span>
    </span>
  )
}

export function Brand() {
  return (
    <span className="brand" translate="no">
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

interface FieldProps {
  readonly label: string
  readonly className?: string
  /** A sentence below the control. */
  readonly hint?: string
  /** The same where the control can be wrong; null while it is not. */
  readonly error?: string | null
  readonly children: (control: ControlProps) => ReactNode
}

interface ControlProps {
  readonly id: string
  readonly 'aria-describedby'?: string
}

/** A control under its label. */
export function Field({ label, className = '', hint, error, children }: FieldProps) {
  const id = useId()
  const below = hint ?? error
  const described = below === undefined ? {} : { 'aria-describedby': `${id}below` }
  return (
    <div className={`field ${className}`.trim()}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="field-box" data-invalid={typeof error === 'string'}>
        {children({ id, ...described })}
      </div>
      {below === undefined ? null : (
        <p id={`${id}below`} className={error === undefined ? 'muted small' : 'field-error small'}>
          {below}
        </p>
      )}
    </div>
  )
}

/** The heading of what took the page's place: shown from its top, and read out. */
export function ArrivalHeading({ children }: { children: ReactNode }) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    head.current?.focus()
  }, [])
  return (
    <h1 ref={head} tabIndex={-1}>
      {children}
    </h1>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted small">{name}</dt>
      <dd translate="no">{children}</dd>
    </div>
  )
}
