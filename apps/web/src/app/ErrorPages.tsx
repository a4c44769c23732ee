import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconClock, IconLock, IconMapOff, type IconProps, IconServerOff, IconTool } from '../ui/icons.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { BareLayout } from './BareLayout.tsx'

/** The addresses of the error pages; the contract fixes the misspelt one. */
export const ERROR_PAGES = [
  { path: '/error-pages/server-error', name: 'serverError' },
  { path: '/error-pages/not-authorized', name: 'notAuthorized' },
  { path: '/error-pages/comming-soon', name: 'comingSoon' },
  { path: '/error-pages/under-maintenance', name: 'maintenance' },
] as const

type ErrorPageName = (typeof ERROR_PAGES)[number]['name']

/** Where each leads: the root sends members home and visitors to sign in. */
const PAGES: Record<ErrorPageName, { to: string; Icon: ComponentType<IconProps> }> = {
  serverError: { to: '/', Icon: IconServerOff },
  notAuthorized: { to: '/auth/login/', Icon: IconLock },
  comingSoon: { to: '/', Icon: IconClock },
  maintenance: { to: '/', Icon: IconTool },
}

export function ErrorPage({ name }: { name: ErrorPageName }) {
  const { t } = useTranslation('app')
  const { to, Icon } = PAGES[name]
  usePageTitle(t(`errors.${name}.title`))
  return (
    <BareLayout>
      <div className="state">
        <span className="bare-icon">
          <Icon size={28} stroke={1.5} aria-hidden="true" />
        </span>
        <h1>{t(`errors.${name}.title`)}</h1>
        <p className="state-text">{t(`errors.${name}.text`)}</p>
        <Link to={to} className="button button-primary">
          {t(`errors.${name}.action`)}
        </Link>
      </div>
    </BareLayout>
  )
}

/** For an address that no page has. */
export function NotFound() {
  const { t } = useTranslation('app')
  usePageTitle(t('notFound.title'))
  return (
    <div className="state">
      <span className="bare-icon">
        <IconMapOff size={28} stroke={1.5} aria-hidden="true" />
      </span>
      <h1>{t('notFound.title')}</h1>
      <p className="state-text">{t('notFound.text')}</p>
      <Link to="/" className="button button-primary">
        {t('notFound.home')}
      </Link>
    </div>
  )
}
