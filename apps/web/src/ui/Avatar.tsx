import type { CurrentUser } from '@aval/contract'
import { useState } from 'react'
import { picturePath } from './picturePath.ts'
import './avatar.css'

interface AvatarProps {
  user: CurrentUser
  className?: string
  /** Pixels, square. */
  size?: number
  /** Absent where the name is written next to it. */
  alt?: string
}

/** The first letter or digit, as the server draws it: an emoji has none. */
const initialOf = (name: string) => /[\p{L}\p{N}]/u.exec(name)?.[0] ?? ''

/** A member's picture, or the initials where there is none or it does not load. */
export function Avatar({ user, className = '', size = 36, alt = '' }: AvatarProps) {
  const [failed, setFailed] = useState('')
  const initials = initialOf(user.first_name) + initialOf(user.last_name) || initialOf(user.username)
  const look = { className: `avatar ${className}` }
  const fail = () => setFailed(user.avatar)
  if (user.avatar !== failed)
    return (
      <img {...look} src={picturePath(user.avatar)} alt={alt} width={size} height={size} onError={fail} />
    )
  const named = alt === '' ? {} : { role: 'img', 'aria-label': alt }
  return <span {...look} {...named} data-initials={initials.toUpperCase()} />
}
