import type { CurrentUser } from '@aval/contract'
import { Suspense } from 'react'
import { readView } from '../../api/view.ts'
import { DemoBar } from '../../features/demo/components/DemoBar.tsx'
import { SupportChat } from '../../features/support/components/SupportChat.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { part } from '../i18n.ts'
import { SettingsDock } from './SettingsDock.tsx'

const ViewBanner = part(
  async () => (await import('../../features/identity/views/components/ViewBanner.tsx')).ViewBanner,
  'identity/views',
)
/** Of an operator who sees the account as its member does. */
const view = readView()

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
      {view === null ? null : (
        <Suspense fallback={null}>
          <ViewBanner view={view} />
        </Suspense>
      )}
      <SettingsDock />
    </>
  )
}
