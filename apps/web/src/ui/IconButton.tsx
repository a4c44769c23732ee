import type { ButtonHTMLAttributes, ComponentType } from 'react'
import type { IconProps } from './icons.ts'

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  Icon: ComponentType<IconProps>
  label: string
  /** Whether the label is also shown while the pointer rests on it. */
  tip?: boolean
  /** Pixels of the icon. */
  size?: number
  stroke?: number
}

/** A button that is nothing but its icon. */
export function IconButton(props: IconButtonProps) {
  const { Icon, label, tip, size = 20, stroke = 1.6, className = '', ...button } = props
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={tip ? label : undefined}
      {...button}
    >
      <Icon size={size} stroke={stroke} aria-hidden="true" />
    </button>
  )
}
