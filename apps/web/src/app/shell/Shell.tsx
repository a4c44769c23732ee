import type { CurrentUser } from '@aval/contract'
import {
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'
import { useCurrentUserQuery } from '../../api/user.ts'
import { useDashboardQuery } from '../../features/dashboard/api.ts'
import type { InvestStart } from '../../features/investments/components/InvestDialog.tsx'
import { prefetchDialog } from '../../ui/Dialog.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { pageLoads } from '../../ui/lazyPart.ts'
import { prefetchMenu } from '../../ui/Menu.tsx'
import { Overlay } from '../../ui/Overlay.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { afterBurger } from '../../ui/theme.ts'
import { REST } from '../../ui/useDue.ts'
import type { MemberContext } from '../memberContext.ts'
import { Around, InvestDialog } from '../memberParts.ts'
import { PageBroken } from '../PageBroken.tsx'
import { store } from '../store.ts'
import { sidenavStore, themeStore } from '../themeStore.ts'
import type { Figures } from './FigureList.tsx'
import { Header } from './Header.tsx'
import { TopNav } from './NavLinks.tsx'
import { PhoneBar } from './PhoneBar.tsx'
import './shell.css'
import { Sidebar } from './Sidebar.tsx'
import { useArrival } from './useArrival.ts'

/** Without it pages show what they showed until they are loaded again. */
async function followChanges(ending: AbortSignal): Promise<void> {
  const { followEvents } = await import('../../features/events/followEvents.ts')
  followEvents(store.dispatch, ending)
}

/** The frame of every page. Answers are deferred: React would render store updates at once and without a pause. */
export function Shell() {
  const { data: user, isError: noUser } = useCurrentUserQuery()
  const { data: dashboard, isError: noDashboard } = useDashboardQuery()
  return (
    <Frame
      user={useDeferredValue(user)}
      balance={useDeferredValue(user?.balance ?? (noUser ? null : undefined))}
      investment={useDeferredValue(dashboard?.investment_amount ?? (noDashboard ? null : undefined))}
    />
  )
}

/** Sidebar, header, the page, footer; and the invest dialog, which outlives a change of page. */
const Frame = memo(function Frame({ user, ...figures }: Figures & { user: CurrentUser | undefined }) {
  const { t } = useTranslation('app')
  const [investing, setInvesting] = useState<InvestStart | null>(null)
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const settings = useSyncExternalStore(themeStore.subscribe, themeStore.get)
  const nav = useNavigation(pathname)
  const endInvesting = useCallback(() => setInvesting(null), [])
  useArrival(main)

  const isRested = useRest()

  const context: MemberContext = { user, onInvest: () => setInvesting('amount'), onInvestAt: setInvesting }
  const isOperator = user?.is_operator === true
  const isApp = pathname.startsWith('/apps/')
  return (
    <div className="shell">
      <a href="#main" className="skip-link button button-primary">
        {t('skip')}
      </a>
      <PageComing />
      <Sidebar figures={figures} isOperator={isOperator} overlay={nav.overlay} onClose={nav.close} />
      <div className="shell-page">
        <div className="shell-top">
          <Header
            user={user}
            figures={figures}
            overlay={nav.opensOverlay ? nav.overlay : undefined}
            onBurger={nav.burger}
          />
          {settings.layout.type === 'horizontal' ? <TopNav isOperator={isOperator} /> : null}
        </div>
        <main id="main" ref={main} tabIndex={-1} className="shell-main" data-app={isApp}>
          <ErrorBoundary
            of={pathname}
            fallback={(error, retry) => <PageBroken error={error} onRetry={retry} />}
          >
            <Suspense fallback={<PageHold />}>
              <Outlet context={context} />
            </Suspense>
          </ErrorBoundary>
        </main>
        {isApp ? null : <Footer />}
      </div>
      <PhoneBar isOpen={nav.overlay} onInvest={() => setInvesting('amount')} onMore={nav.open} />
      {isRested ? (
        <Suspense fallback={null}>
          <Around user={user} pathname={pathname} />
        </Suspense>
      ) : null}
      {investing === null ? null : (
        <Overlay onClose={endInvesting}>
          <InvestDialog user={user} start={investing} onClose={endInvesting} />
        </Overlay>
      )}
    </div>
  )
})

/** The page comes first; what floats over it, and what it will need, a moment later. @returns whether that moment has come */
function useRest(): boolean {
  const [isRested, setRested] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    const timer = setTimeout(() => {
      setRested(true)
      for (const prefetch of [InvestDialog.prefetch, prefetchDialog, prefetchMenu]) void prefetch()
      void followChanges(ending.signal).catch(() => undefined)
    }, REST)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [])
  return isRested
}

function Footer() {
  const { t } = useTranslation('app')
  return (
    <footer className="shell-footer row-16 row-apart faint tiny">
      <span>© Aval</span>
      <span>{t('footer')}</span>
    </footer>
  )
}

/** The burger and what it opens, which closes with a change of page or of the sidebar's size. */
function useNavigation(pathname: string) {
  const size = useSyncExternalStore(sidenavStore.subscribe, sidenavStore.get)
  const place = `${pathname} ${size}`
  const [openAt, setOpenAt] = useState<string | null>(null)
  const action = afterBurger(size)
  return {
    overlay: openAt === place,
    opensOverlay: action === 'overlay',
    burger: () => (action === 'overlay' ? setOpenAt(place) : sidenavStore.fold(action)),
    open: () => setOpenAt(place),
    close: useCallback(() => setOpenAt(null), []),
  }
}

function PageComing() {
  const isComing = useSyncExternalStore(pageLoads.subscribe, pageLoads.areComing)
  return isComing ? <div className="page-coming" aria-hidden="true" /> : null
}

function PageHold() {
  return (
    <div className="page-hold" aria-hidden="true">
      <Skeleton width={260} height={30} />
      <Skeleton width="100%" height={220} />
    </div>
  )
}
