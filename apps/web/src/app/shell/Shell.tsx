import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'
import { useCurrentUserQuery } from '../../api/user.ts'
import { useDashboardQuery } from '../../features/dashboard/api.ts'
import { DemoBar } from '../../features/demo/components/DemoBar.tsx'
import { Skeleton } from '../../ui/States.tsx'
import type { MemberContext } from '../memberContext.ts'
import { InvestDialog, prefetchInvest } from '../pages.ts'
import { sidenavSize, toggleSidenav } from '../themeStore.ts'
import { Header } from './Header.tsx'
import './shell.css'
import { Sidebar } from './Sidebar.tsx'

/** Seconds after the page is there, the dialog behind its main button is fetched. */
const IDLE = 1200

/** Sidebar, header, the page, footer; and the invest dialog, which outlives a change of page. */
export function Shell() {
  const { t } = useTranslation('app')
  const { data: user, isError: noUser } = useCurrentUserQuery()
  const { data: dashboard, isError: noDashboard } = useDashboardQuery()
  const [investing, setInvesting] = useState(false)
  const [overlay, setOverlay] = useState(false)
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const lastPath = useRef(pathname)

  useEffect(() => {
    const timer = setTimeout(prefetchInvest, IDLE)
    return () => clearTimeout(timer)
  }, [])

  // A keyboard or screen reader begins at the new page, not at the link that led there.
  useEffect(() => {
    if (lastPath.current === pathname) return
    lastPath.current = pathname
    setOverlay(false)
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  const burger = () => (sidenavSize() === 'full' ? setOverlay(true) : toggleSidenav())
  const context: MemberContext = { user, onInvest: () => setInvesting(true) }
  const figures = {
    balance: user?.balance ?? (noUser ? null : undefined),
    investment: dashboard?.investment_amount ?? (noDashboard ? null : undefined),
  }
  return (
    <div className="shell">
      <a href="#main" className="skip-link button button-primary">
        {t('skip')}
      </a>
      <Sidebar
        figures={figures}
        isOperator={user?.is_operator === true}
        overlay={overlay}
        onClose={() => setOverlay(false)}
      />
      <div className="shell-page">
        <Header user={user} overlay={overlay} onBurger={burger} />
        <main id="main" ref={main} tabIndex={-1} className="shell-main">
          <Suspense fallback={<PageHold />}>
            <Outlet context={context} />
          </Suspense>
        </main>
        <footer className="shell-footer">
          <span>© Aval</span>
          <span>{t('footer')}</span>
        </footer>
      </div>
      <DemoBar />
      {investing ? (
        <Suspense fallback={null}>
          <InvestDialog user={user} onClose={() => setInvesting(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

function PageHold() {
  return (
    <div className="page-hold" aria-hidden="true">
      <Skeleton width={260} height={30} />
      <Skeleton width="100%" height={220} />
    </div>
  )
}
