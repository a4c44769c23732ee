import type { ComponentType } from 'react'
import {
  IconBinaryTree,
  IconBuildingBank,
  IconCoins,
  IconHistory,
  IconLayoutDashboard,
  type IconProps,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconWallet,
} from '../../ui/icons.ts'

export interface NavEntry {
  to: string
  name:
    | 'dashboard'
    | 'withdrawals'
    | 'profile'
    | 'tree'
    | 'referrals'
    | 'payments'
    | 'history'
    | 'security'
    | 'operator'
  Icon: ComponentType<IconProps>
}

const MEMBER: NavEntry[] = [
  { to: '/dashboard', name: 'dashboard', Icon: IconLayoutDashboard },
  { to: '/withdrawals', name: 'withdrawals', Icon: IconWallet },
  { to: '/profile', name: 'profile', Icon: IconUser },
  { to: '/network-marketing', name: 'tree', Icon: IconBinaryTree },
  { to: '/referrals', name: 'referrals', Icon: IconUsers },
  { to: '/payments', name: 'payments', Icon: IconCoins },
  { to: '/investment-history', name: 'history', Icon: IconHistory },
  { to: '/security', name: 'security', Icon: IconShieldLock },
]

const OPERATOR: NavEntry = { to: '/operator', name: 'operator', Icon: IconBuildingBank }

export const navEntries = (isOperator: boolean): NavEntry[] => (isOperator ? [...MEMBER, OPERATOR] : MEMBER)
