import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react'

export type Loader<Props> = () => Promise<{ default: ComponentType<Props> }>

/** A page's code did not come. `forget()` lets it be asked for again. */
export class PartLoadError extends Error {
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'PartLoadError'
    this.forget = forget
  }
}

const NOTHING = () => undefined

let waiting = 0
const listeners = new Set<() => void>()

function count(step: 1 | -1): void {
  waiting += step
  // React may be rendering right now, and asks for one thing at a time.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}

/** Whether somebody waits for a page's code; what was shown stays meanwhile. */
export const pageLoads = {
  areComing: () => waiting > 0,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Which version the server has: its own files may be gone for a tab that was opened before a deployment. */
async function versionAtServer(): Promise<'ours' | 'another' | 'unreached'> {
  const entry = document.querySelector('script[type="module"][src]:not([async])')?.getAttribute('src')
  try {
    const answer = await fetch('/', { cache: 'no-store' })
    if (entry == null || !answer.ok) return 'unreached'
    return (await answer.text()).includes(entry) ? 'ours' : 'another'
  } catch {
    return 'unreached'
  }
}

export interface LazyPart<Props> extends FunctionComponent<Props> {
  /** Fetches it before it is shown. A failure is nothing yet: the page asks again when it is shown, and says so then. */
  prefetch(): Promise<void>
}

/**
 * A component that is fetched when it is shown. React remembers for good that a fetch failed; this one can be asked
 * again. Browsers may remember it as well, for as long as the page lives: so the page is loaded anew where asking again
 * did not help although the server is there, and at once where the server has another version.
 */
export function lazyPart<Props extends object>(load: Loader<Props>): LazyPart<Props> {
  let failures = 0
  let here: ComponentType<Props> | null = null
  const kept = async () => {
    const loaded = await load()
    here = loaded.default
    return loaded
  }
  const fetched = async () => {
    count(1)
    try {
      return await kept()
    } catch (error) {
      failures += 1
      const version = await versionAtServer()
      if (version === 'another' || (version === 'ours' && failures > 1)) {
        window.location.reload()
        return await new Promise<never>(() => undefined)
      }
      throw new PartLoadError(error, () => {
        Current = lazy(fetched)
      })
    } finally {
      count(-1)
    }
  }
  let Current = lazy(fetched)
  const find = () => here ?? Current
  return Object.assign((props: Props) => createElement(Part<Props>, { find, props }), {
    prefetch: async () => {
      if (here === null) await kept().catch(NOTHING)
    },
  })
}

interface PartProps<Props> {
  find: () => ComponentType<Props>
  props: Props
}

/** What is here already is shown at once: React would wait for it, and having waited shows nothing new for 300 ms. */
function Part<Props extends object>({ find, props }: PartProps<Props>) {
  const [Shown] = useState(find)
  return createElement(Shown, props)
}
