import { Component, type ReactNode } from 'react'

interface State {
  error: Error | null
}

/** The last resort. Its heading is the same in both languages, and it uses nothing that may be what broke. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <main className="boot">
        <h1>Unexpected Application Error!</h1>
        <p className="muted">{error.message}</p>
        <a href="/" className="button button-secondary">
          Aval
        </a>
      </main>
    )
  }
}
