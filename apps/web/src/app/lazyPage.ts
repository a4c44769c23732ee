import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react'

export type Loader<Props> = () => Promise<{ default: ComponentType<Props> }>

/** A page's code did not come. `forget()` lets it be asked for again. */
export class PageLoadError extends Error {
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'PageLoadError'
    this.forget = forget
  }
}

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

/** Whether the server has another version than this tab runs: its files may be gone. */
async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  if (entry == null) return false
  try {
    const answer = await fetch('/', { cache: 'no-store' })
    return answer.ok && !(await answer.text()).includes(entry)
  } catch {
    return false
  }
}

/**
 * A component that is fetched when it is shown. React remembers for good that a fetch failed; this one can be asked
 * again. A tab that was opened before a deployment is loaded anew instead.
 */
export function lazyPage<Props extends object>(load: Loader<Props>): FunctionComponent<Props> {
  const fetched = async () => {
    count(1)
    try {
      return await load()
    } catch (error) {
      if (await isOutdated()) {
        window.location.reload()
        return await new Promise<never>(() => undefined)
      }
      throw new PageLoadError(error, () => {
        Current = lazy(fetched)
      })
    } finally {
      count(-1)
    }
  }
  let Current = lazy(fetched)
  return (props) => createElement(Current as ComponentType<Props>, props)
}
