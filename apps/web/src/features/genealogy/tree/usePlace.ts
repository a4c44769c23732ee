import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { questionFrom, type TreeQuestion } from './questions.ts'

type Place = TreeQuestion & { readonly node: string | null }

const NAMES = { view: 'view', root: 'root', asOf: 'as_of', node: 'node' } as const

/** What the page shows, in its address, so that back, reload and a shared link work. */
export function usePlace() {
  const [params, setParams] = useSearchParams()
  const place = useMemo(() => questionFrom(params), [params])
  const show = (change: Partial<Place>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const key of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
          const value = change[key]
          if (value === undefined) continue
          if (value === null || value === 'unilevel') after.delete(NAMES[key])
          else after.set(NAMES[key], value)
        }
        return after
      },
      // Looking at one member after the other is no journey to go back on.
      { replace: Object.keys(change).every((key) => key === 'node'), preventScrollReset: true },
    )
  return { place, show }
}
