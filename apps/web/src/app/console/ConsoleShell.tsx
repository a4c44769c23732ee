import type { CurrentUser } from '@aval/contract'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation } from 'react-router'
import { NotificationBell } from '../../console/notifications/components/NotificationBell.tsx'
import { StoppedNotice } from '../../console/reserves/components/ReservesTab.tsx'
import { SearchButton } from '../../console/search/components/SearchButton.tsx'
import { ConfirmProvider } from '../../console/shared/ConfirmProvider.tsx'
import { CONSOLE, movedPlace, PAGES } from '../../console/shared/place.ts'
import { usePolling } from '../../console/shared/useLive.ts'
import { useWaitingQuery, waitingByPage } from '../../console/today/api.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { FailureGroup } from '../../ui/FailureGroup.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SkeletonCard } from '../../ui/States.tsx'
import { REST } from '../../ui/useDue.ts'
import { NotFound } from '../errors/ErrorPages.tsx'
import { part } from '../i18n.ts'
import { PageBroken } from '../PageBroken.tsx'
import { useArrival } from '../shell/useArrival.ts'
import { store } from '../store.ts'
import { ConsoleHeader } from './ConsoleHeader.tsx'
import { ConsoleNav } from './ConsoleNav.tsx'
import { CONSOLE_PAGES, pageAt } from './consolePages.ts'
import '../../console/shared/console.css'
import './consoleShell.css'

const DemoBar = part(async () => (await import('../../features/demo/components/DemoBar.tsx')).DemoBar, 'demo')

/** How often what waits is asked for, besides when something changes. Nobody is taken to be there for it (`api/presence.ts`). */
const WAITING_EVERY = 60_000

/** The frame of the console: its navigation, its header, and the page. */
export function ConsoleShell({ user }: { user: CurrentUser }) {
  const { t } = useTranslation(['console/shared', 'app'])
  const { pathname, search } = useLocation()
  const main = useRef<HTMLElement>(null)
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isRested = useRest()
  useArrival(main)
  const { data: waiting } = useWaitingQuery(undefined, usePolling(WAITING_EVERY))

  // Pages have tabs of their own.
  const moved = pathname === CONSOLE ? movedPlace(search) : null
  if (moved !== null) return <Navigate to={moved} replace />
  const close = () => setOpenAt(null)
  return (
    <div className="console">
      <a href="#main" className="skip-link button button-primary">
        {t('app:skip')}
      </a>
      <ConsoleNav isOpen={openAt === pathname} onClose={close} waiting={waitingByPage(waiting)} />
      <div className="console-page">
        <ConsoleHeader
          user={user}
          isOpen={openAt === pathname}
          onBurger={() => setOpenAt(pathname)}
          news={<NotificationBell />}
        >
          <SearchButton />
        </ConsoleHeader>
        <main id="main" ref={main} tabIndex={-1} className="console-main">
          <ErrorBoundary
            of={pathname}
            fallback={(error, retry) => <PageBroken error={error} onRetry={retry} />}
          >
            <ConfirmProvider>
              <ShownPage rest={pathname.slice(CONSOLE.length + 1)} />
            </ConfirmProvider>
          </ErrorBoundary>
        </main>
      </div>
      {isRested ? (
        <Suspense fallback={null}>
          <DemoBar />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Pages that say it themselves where payments are stopped. */
const SAYS_ITSELF = new Set<string>(['today', 'treasury', 'reserves'])

/** The page that the address names, with its heading; what is wrong in the whole company stands above every page. */
function ShownPage({ rest }: { rest: string }) {
  const { t } = useTranslation('console/shared')
  const name = pageAt(rest)
  const place = CONSOLE_PAGES[name]
  if (!PAGES.includes(name) || place === undefined) return <NotFound />
  const isWhole = rest.replace(/\/$/, '').includes('/')
  return (
    <div className="page-stack operator">
      {isWhole ? null : (
        <PageHead
          title={`${t(`page.${name}`)} · ${t('title')}`}
          heading={t(`page.${name}`)}
          text={t(`about.${name}`)}
        />
      )}
      {SAYS_ITSELF.has(name) ? null : <StoppedNotice />}
      {/* The heading is there before the page's own code is. */}
      <Suspense fallback={<SkeletonCard bars={HOLD} />}>
        <FailureGroup>
          <place.Page />
        </FailureGroup>
      </Suspense>
    </div>
  )
}

const HOLD = [
  [260, 30],
  ['100%', 220],
] as const

/** What floats over the page and what follows changes begin a moment after it. @returns whether that moment has come */
function useRest(): boolean {
  const [isRested, setRested] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    const timer = setTimeout(() => {
      setRested(true)
      // Without it pages show what they showed until they are loaded again.
      void import('../../features/events/followEvents.ts')
        .then(({ followEvents }) => followEvents(store.dispatch, ending.signal))
        .catch(() => undefined)
    }, REST)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [])
  return isRested
}
