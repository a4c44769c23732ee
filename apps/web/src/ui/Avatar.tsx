import type { CurrentUser } from '@aval/contract'
import { firstCharacters } from '@aval/contract/characters'
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

/** A member's picture, or the initials where there is none or it does not load. */
export function Avatar({ user, className = '', size = 36, alt = '' }: AvatarProps) {
  const [failed, setFailed] = useState('')
  const names = [user.first_name, user.last_name].filter((name) => name !== '')
  const initials = (names.length > 0 ? names : [user.username])
    .map((name) => firstCharacters(name, 1))
    .join('')
  const look = { className: `avatar ${className}` }
  const fail = () => setFailed(user.avatar)
  if (user.avatar !== failed)
    return (
      <img {...look} src={picturePath(user.avatar)} alt={alt} width={size} height={size} onError={fail} />
    )
  const named = alt === '' ? {} : { role: 'img', 'aria-label': alt }
  return <span {...look} {...named} data-initials={initials.toUpperCase()} />
}
