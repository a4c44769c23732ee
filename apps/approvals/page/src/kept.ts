/** What this browser remembers of the page: looks and who used it last. Nothing of it proves anything. */
import { useState } from 'react'

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

/** A value among these, the first of them at first. */
export function useKept<Value extends string>(key: string, values: readonly [Value, ...Value[]]) {
  const [value, setValue] = useState<Value>(() => values.find((each) => each === read(key)) ?? values[0])
  return [
    value,
    (next: Value) => {
      write(key, next)
      setValue(next)
    },
  ] as const
}

/** The operator who used the page last, by member number. */
export function useOperator() {
  const [operator, setOperator] = useState<string | null>(() => {
    const kept = read('operator') ?? ''
    return /^[1-9]\d{0,17}$/.test(kept) ? kept : null
  })
  return [
    operator,
    (next: string | null) => {
      write('operator', next ?? '')
      setOperator(next)
    },
  ] as const
}
