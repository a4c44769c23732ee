import type { ButtonHTMLAttributes, ComponentType, ReactNode } from 'react'
import type { IconProps } from './icons.ts'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `danger` takes something away that cannot be given back by pressing again. */
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'small' | 'large'
  wide?: boolean
  /** A request of this button is running: it shows that, and takes no second press. */
  busy?: boolean
  icon?: ReactNode
}

export function Button(props: ButtonProps) {
  const { kind = 'secondary', size = 'normal', wide, busy, icon, children, className, type, ...rest } = props
  const classes = ['button', `button-${kind}`]
  if (size !== 'normal') classes.push(`button-${size}`)
  if (wide) classes.push('button-wide')
  if (className !== undefined) classes.push(className)
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={classes.join(' ')}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {typeof children === 'string' ? <span>{children}</span> : children}
    </button>
  )
}

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
