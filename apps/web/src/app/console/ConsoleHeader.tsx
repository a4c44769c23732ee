import type { CurrentUser } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { signOut } from '../../api/browserSession.ts'
import { useAbilities } from '../../console/shared/abilities.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { IconLogout, IconMenu2, IconShieldLock, IconUser } from '../../ui/icons.ts'
import { Menu } from '../../ui/Menu.tsx'
import { Name } from '../../ui/Name.tsx'
import { LanguageMenu } from '../shell/LanguageMenu.tsx'
import { SchemeToggle } from '../shell/SchemeToggle.tsx'

interface ConsoleHeaderProps {
  user: CurrentUser
  /** Whether the navigation lies over the page. */
  isOpen: boolean
  onBurger: () => void
  /** Left of the menus: the search. */
  children?: ReactNode
  /** What needs somebody. */
  news?: ReactNode
}

export function ConsoleHeader({ user, isOpen, onBurger, children, news }: ConsoleHeaderProps) {
  const { t } = useTranslation('app')
  return (
    <header className="console-header">
      <IconButton
        Icon={IconMenu2}
        className="console-burger"
        label={t('menu')}
        aria-expanded={isOpen}
        onClick={onBurger}
      />
      <div className="console-tools">{children}</div>
      {news}
      <LanguageMenu />
      <SchemeToggle />
      <OperatorMenu user={user} />
    </header>
  )
}

function OperatorMenu({ user }: { user: CurrentUser }) {
  const { t } = useTranslation(['app', 'console/shared'])
  const { role } = useAbilities()
  const navigate = useNavigate()
  const item = (key: string, label: string, Icon: typeof IconUser, onSelect: () => void) => ({
    key,
    label,
    icon: <Icon size={18} stroke={1.6} />,
    onSelect,
  })
  return (
    <Menu
      label={`${t('app:account')}: ${user.username}`}
      triggerClass="avatar-button centred"
      trigger={<Avatar user={user} />}
      head={
        <div className="user-head row-12 one-line">
          <Avatar user={user} />
          <div>
            <strong>
              <Name text={user.username} />
            </strong>
            {role === null ? null : <p className="muted small">{t(`console/shared:role.${role}`)}</p>}
          </div>
        </div>
      }
      items={[
        item('member', t('console/shared:memberPages'), IconUser, () => navigate('/dashboard')),
        item('security', t('app:page.security'), IconShieldLock, () => navigate('/security')),
        item('logout', t('app:logout'), IconLogout, () => void signOut()),
      ]}
    />
  )
}
