import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconExternalLink } from './icons.ts'

interface OutsideLinkProps {
  /** Null where there is nothing to lead to: then it is its text alone. */
  href: string | null
  className?: string
  /** Pixels of its mark. */
  size?: number
  children: ReactNode
}

/** Leads out of the product, into a new tab. In a row that opens when it is pressed, the row stays as it is. */
export function OutsideLink({ href, className = '', size = 14, children }: OutsideLinkProps) {
  const { t } = useTranslation('ui')
  const text = <span>{children}</span>
  if (href === null) return text
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={`outside-link ${className}`}
      onClick={(event) => event.stopPropagation()}
    >
      {text}
      <IconExternalLink size={size} stroke={1.7} aria-hidden="true" />
      <span className="visually-hidden">{t('opensNewTab')}</span>
    </a>
  )
}
