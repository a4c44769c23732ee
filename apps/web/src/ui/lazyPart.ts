import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react'

/** The code of a part did not arrive. `forget()` allows another attempt. */
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
  // React may be rendering right now and must not be updated meanwhile.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}

/** Whether a page's code is being loaded; the former page stays meanwhile. */
export const pageLoads = {
  areComing: () => waiting > 0,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Which version the server has. A tab opened before a deployment may ask for files that are gone. */
async function versionAtServer(): Promise<'ours' | 'another' | 'unreached'> {
  // What starts the app, which the page names to have it loaded ahead.
  const entry = document.querySelector('link[rel="modulepreload"][href*="/index-"]')?.getAttribute('href')
  try {
    const answer = await fetch('/', { cache: 'no-store' })
    if (entry == null || !answer.ok) return 'unreached'
    return (await answer.text()).includes(entry) ? 'ours' : 'another'
  } catch {
    return 'unreached'
  }
}

export interface LazyPart<Props> extends FunctionComponent<Props> {
  /** Fetches the part early. A failure is ignored: the part is fetched again, and reports it, when it is shown. */
  prefetch(): Promise<void>
}

/**
 * A component that is fetched when it is shown. Unlike React's `lazy` it can be retried after a failure. Browsers may
 * cache a failed import as long as the page lives, so the page is reloaded when a retry fails although the server
 * answers, and at once when the server has another version.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPart<Props> {
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

/** A loaded part is rendered at once. `lazy` would suspend, after which React shows nothing new for 300 ms. */
function Part<Props extends object>({ find, props }: { find: () => ComponentType<Props>; props: Props }) {
  const [Shown] = useState(find)
  return createElement(Shown, props)
}
