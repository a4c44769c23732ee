import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import type { ReactNode } from 'react'

/** A page that keeps its filters in the address: their changes are steps of the router that one can go back on. */
export function InAddress({ children }: { children?: ReactNode }) {
  return <NuqsAdapter defaultOptions={{ history: 'push', shallow: false }}>{children}</NuqsAdapter>
}
