import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { availabilityOf } from './api.ts'

/** `unknown`: not asked yet, or nobody could say; then registering itself will. */
export type Availability = 'unknown' | 'checking' | 'free' | 'taken'

/** Long enough for the next letter. */
const PAUSE = 450

/** Whether what is being typed is free, asked once it rests. Each value is asked about once. */
export function useAvailability(kind: 'username' | 'email', typed: string, isValid: boolean): Availability {
  const value = typed.trim()
  const [rested] = useDebouncedValue(value, PAUSE)
  const [known, setKnown] = useState<Readonly<Record<string, Availability>>>({})
  const isDue = isValid && rested === value && known[value] === undefined

  useEffect(() => {
    if (!isDue) return
    setKnown((before) => ({ ...before, [value]: 'checking' }))
    availabilityOf(kind, value).then((answer) => {
      const availability = 'data' in answer ? answer.data?.[kind] : null
      const answered = availability === 'free' || availability === 'taken' ? availability : 'unknown'
      setKnown((before) => ({ ...before, [value]: answered }))
    })
  }, [isDue, kind, value])

  return isValid ? (known[value] ?? 'unknown') : 'unknown'
}
