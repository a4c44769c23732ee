import type { CurrentUser } from '@aval/contract'
import { DemoBar } from '../../features/demo/components/DemoBar.tsx'
import { SupportChat } from '../../features/support/components/SupportChat.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { SettingsDock } from './SettingsDock.tsx'

interface AroundProps {
  user: CurrentUser | undefined
  pathname: string
}

/** What floats over every page. It comes once the page is at rest. */
export function Around({ user, pathname }: AroundProps) {
  return (
    <>
      {/* A chat that broke takes nothing else with it, and is tried again on the next page. */}
      <ErrorBoundary of={pathname} fallback={() => null}>
        <SupportChat user={user} />
      </ErrorBoundary>
      <DemoBar />
      <SettingsDock />
    </>
  )
}
