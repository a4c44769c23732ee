import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconClock, IconLock, IconMapOff, type IconProps, IconServerOff, IconTool } from '../ui/icons.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { BareLayout } from './layouts.tsx'

/**
 * The addresses of the error pages, of which the contract fixes the misspelt one, and where each leads: the root sends members
 * home and visitors to sign in.
 */
export const ERROR_PAGES = [
  { path: '/error-pages/server-error', name: 'serverError', to: '/', Icon: IconServerOff },
  { path: '/error-pages/not-authorized', name: 'notAuthorized', to: '/auth/login/', Icon: IconLock },
  { path: '/error-pages/comming-soon', name: 'comingSoon', to: '/', Icon: IconClock },
  { path: '/error-pages/under-maintenance', name: 'maintenance', to: '/', Icon: IconTool },
] as const

export function ErrorPage({ name, to, Icon }: (typeof ERROR_PAGES)[number]) {
  const { t } = useTranslation('app')
  return (
    <BareLayout>
      <Message
        Icon={Icon}
        title={t(`errors.${name}.title`)}
        text={t(`errors.${name}.text`)}
        to={to}
        action={t(`errors.${name}.action`)}
      />
    </BareLayout>
  )
}

/** For an address that no page has. */
export function NotFound() {
  const { t } = useTranslation('app')
  return (
    <Message
      Icon={IconMapOff}
      title={t('notFound.title')}
      text={t('notFound.text')}
      to="/"
      action={t('notFound.home')}
    />
  )
}

interface MessageProps {
  Icon: ComponentType<IconProps>
  title: string
  text: string
  to: string
  action: string
}

function Message({ Icon, title, text, to, action }: MessageProps) {
  usePageTitle(title)
  return (
    <div className="state">
      <span className="bare-icon centred">
        <Icon size={28} stroke={1.5} aria-hidden="true" />
      </span>
      <h1>{title}</h1>
      <p className="state-text">{text}</p>
      <Link to={to} className="button button-primary">
        {action}
      </Link>
    </div>
  )
}
