import type { CurrentUser } from '@aval/contract'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { signOut } from '../../api/browserSession.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { IconLogout, type IconProps, IconShieldLock, IconUser } from '../../ui/icons.ts'
import { Menu } from '../../ui/Menu.tsx'
import { Name } from '../../ui/Name.tsx'

export function UserMenu({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('app')
  const navigate = useNavigate()
  if (user === undefined) return <span className="avatar skeleton" />
  return (
    <Menu
      label={`${t('account')}: ${user.username}`}
      triggerClass="avatar-button centred"
      trigger={<Avatar user={user} />}
      head={
        <div className="user-head row-12 one-line">
          <Avatar user={user} />
          <div>
            <strong>
              <Name text={user.username} />
            </strong>
            <p className="muted small">
              <Name text={user.email} />
            </p>
          </div>
        </div>
      }
      items={[
        item('profile', t('page.profile'), IconUser, () => navigate('/profile')),
        item('security', t('page.security'), IconShieldLock, () => navigate('/security')),
        item('logout', t('logout'), IconLogout, () => void signOut()),
      ]}
    />
  )
}

const item = (key: string, label: string, Icon: ComponentType<IconProps>, onSelect: () => void) => ({
  key,
  label,
  icon: <Icon size={18} stroke={1.6} />,
  onSelect,
})
