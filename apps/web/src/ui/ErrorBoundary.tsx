import { Component, type ReactNode } from 'react'
import { PartLoadError } from './lazyPart.ts'

interface Props {
  /** Rendered in place of the children after an error. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  /** A change of this value retries, for example the address. */
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
    if (failed.error instanceof PartLoadError) failed.error.forget()
    this.setState({ failed: null })
  }

  override render(): ReactNode {
    const { failed } = this.state
    return failed === null ? this.props.children : this.props.fallback(failed.error, this.#retry)
  }
}
