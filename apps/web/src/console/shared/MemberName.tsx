import { Link } from '../../ui/Link.tsx'
import { Name } from '../../ui/Name.tsx'
import { memberLink } from './place.ts'

/** A member's name that leads to their page. In a row that opens on a press, the link is followed alone. */
export function MemberName({ id, username }: { id: number; username: string }) {
  return (
    <Link to={memberLink(id)} onClick={(event) => event.stopPropagation()}>
      <Name text={username} />
    </Link>
  )
}
