import type { ComponentType, ReactNode } from 'react'
import type { IconProps } from './icons.ts'

interface NoticeProps {
  kind?: 'ok' | 'wait' | 'bad' | undefined
  icon?: ComponentType<IconProps>
  stroke?: number
  /** `status` or `alert` where it appears while the page is open. */
  role?: 'status' | 'alert'
  children: ReactNode
}

/** A sentence that has to be read before what follows. */
export function Notice({ kind, icon: Icon, stroke = 1.6, role, children }: NoticeProps) {
  return (
    <p className={kind === undefined ? 'notice' : `notice notice-${kind}`} role={role}>
      {Icon === undefined ? null : <Icon size={18} stroke={stroke} aria-hidden="true" />}
      <span>{children}</span>
    </p>
  )
}
