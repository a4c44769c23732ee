import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Strength } from './newPassword.ts'

type Judge = (password: string, known: readonly string[]) => Strength

/**
 * The strength of what is typed; null before it is known. The judge is fetched when the field is first used, and where it
 * cannot be fetched the form goes on without.
 */
export function useStrength(password: string, known: readonly string[], used: boolean): Strength | null {
  const [judge, setJudge] = useState<Judge | null>(null)
  const isWanted = used || password !== ''
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    const loading = import('./strength.ts')
    loading.then(
      ({ judgePassword }) => isGone || setJudge(() => judgePassword),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [isWanted])
  // Judging takes some milliseconds: what was typed is shown first.
  const typed = useDeferredValue(password)
  const words = known.join('\n')
  return useMemo(
    () => (judge === null || typed === '' ? null : judge(typed, words.split('\n'))),
    [judge, typed, words],
  )
}
