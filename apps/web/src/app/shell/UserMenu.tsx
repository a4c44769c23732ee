import type { CurrentUser } from '@aval/contract'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { signOut } from '../../api/browserSession.ts'
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
      trigger={<Avatar key={user.avatar} user={user} />}
      head={
        <div className="user-head row-12 one-line">
          <Avatar key={user.avatar} user={user} />
          <div>
            <strong>
              <Name text={user.username} />
            </strong>
            <p className="muted small">{user.email}</p>
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

/** The picture, or the initials where there is none or it does not load. */
function Avatar({ user }: { user: CurrentUser }) {
  const [failed, setFailed] = useState(user.avatar === '')
  const names = [user.first_name, user.last_name].filter((name) => name !== '')
  const initials = (names.length > 0 ? names : [user.username]).map((name) => [...name][0] ?? '').join('')
  if (!failed)
    return (
      <img
        className="avatar"
        src={user.avatar}
        alt=""
        width={36}
        height={36}
        onError={() => setFailed(true)}
      />
    )
  return <span className="avatar" data-initials={initials.toUpperCase()} />
}
