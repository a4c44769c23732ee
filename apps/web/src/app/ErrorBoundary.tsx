import { Component, type ReactNode } from 'react'
import { errorText } from './errorText.ts'
import { PageLoadError } from './lazyPage.ts'

interface Props {
  /** What stands in the place of what broke. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  /** A change of it tries again by itself: the address, for example. */
  of?: string
  children: ReactNode
}

interface State {
  failed: { error: unknown } | null
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } }
  }

  override componentDidUpdate(before: Props): void {
    if (before.of !== this.props.of) this.#retry()
  }

  #retry = (): void => {
    const { failed } = this.state
    if (failed === null) return
    if (failed.error instanceof PageLoadError) failed.error.forget()
    this.setState({ failed: null })
  }

  override render(): ReactNode {
    const { failed } = this.state
    return failed === null ? this.props.children : this.props.fallback(failed.error, this.#retry)
  }
}

/** The last resort. Its heading is the same in both languages, and it uses nothing that may be what broke. */
export function Unexpected({ error }: { error: unknown }) {
  return (
    <main className="boot">
      <h1>Unexpected Application Error!</h1>
      <p className="muted">{errorText(error)}</p>
      <a href="/" className="button button-secondary">
        Aval
      </a>
    </main>
  )
}
