import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconClock, IconLock, IconMapOff, IconServerOff, IconTool } from '../ui/icons.ts'
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

const NOT_FOUND = { name: 'notFound', to: '/', Icon: IconMapOff } as const

export function ErrorPage(page: MessageProps) {
  return (
    <BareLayout>
      <Message {...page} />
    </BareLayout>
  )
}

/** For an address that no page has. */
export function NotFound() {
  return <Message {...NOT_FOUND} />
}

type MessageProps = Omit<(typeof ERROR_PAGES)[number], 'path'> | typeof NOT_FOUND

function Message({ name, to, Icon }: MessageProps) {
  const { t } = useTranslation('app')
  const title = t(`errors.${name}.title`)
  usePageTitle(title)
  return (
    <div className="state">
      <span className="bare-icon centred">
        <Icon size={28} stroke={1.5} aria-hidden="true" />
      </span>
      <h1>{title}</h1>
      <p className="state-text">{t(`errors.${name}.text`)}</p>
      <Link to={to} className="button button-primary">
        {t(`errors.${name}.action`)}
      </Link>
    </div>
  )
}
