import type { SVGProps } from 'react'

/** The outline icons of the product. Decorative: a control with nothing but an icon carries its own label. */
export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  size?: number
  stroke?: number
}

export { default as IconAlertCircle } from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
export { default as IconAlertTriangle } from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
export { default as IconArrowDownLeft } from '@tabler/icons-react/dist/esm/icons/IconArrowDownLeft.mjs'
export { default as IconBuildingBank } from '@tabler/icons-react/dist/esm/icons/IconBuildingBank.mjs'
export { default as IconCheck } from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
export { default as IconChevronDown } from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
export { default as IconChevronLeft } from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
export { default as IconChevronRight } from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
export { default as IconClock } from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
export { default as IconCoins } from '@tabler/icons-react/dist/esm/icons/IconCoins.mjs'
export { default as IconCopy } from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
export { default as IconExternalLink } from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
export { default as IconEye } from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
export { default as IconEyeOff } from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
export { default as IconHistory } from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
export { default as IconLayoutDashboard } from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
export { default as IconLock } from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
export { default as IconLogout } from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
export { default as IconMenu2 } from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
export { default as IconMoon } from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
export { default as IconPlayerTrackNext } from '@tabler/icons-react/dist/esm/icons/IconPlayerTrackNext.mjs'
export { default as IconPlus } from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
export { default as IconQrcode } from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
export { default as IconRefresh } from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
export { default as IconShieldCheck } from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
export { default as IconSun } from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
export { default as IconTrendingUp } from '@tabler/icons-react/dist/esm/icons/IconTrendingUp.mjs'
export { default as IconUserPlus } from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
export { default as IconWallet } from '@tabler/icons-react/dist/esm/icons/IconWallet.mjs'
export { default as IconWorld } from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
export { default as IconX } from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
