import { useTranslation } from 'react-i18next'
import { IconClock, IconLock, IconMapOff, IconServerOff, IconTool } from '../../ui/icons.ts'
import { Link } from '../../ui/Link.tsx'
import { usePageTitle } from '../../ui/usePageTitle.ts'
import { BareLayout } from '../layouts.tsx'
import type { ErrorPageName } from './errorPaths.ts'

/** Where each leads: the root sends members home and visitors to sign in. */
const PAGES = {
  serverError: { to: '/', Icon: IconServerOff },
  notAuthorized: { to: '/auth/login/', Icon: IconLock },
  comingSoon: { to: '/', Icon: IconClock },
  maintenance: { to: '/', Icon: IconTool },
  notFound: { to: '/', Icon: IconMapOff },
} as const

export function ErrorPage({ name }: { name: ErrorPageName }) {
  return (
    <BareLayout>
      <Message name={name} />
    </BareLayout>
  )
}

/** For an address that no page has. */
export function NotFound() {
  return <Message name="notFound" />
}

function Message({ name }: { name: keyof typeof PAGES }) {
  const { t } = useTranslation('app')
  const { to, Icon } = PAGES[name]
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
