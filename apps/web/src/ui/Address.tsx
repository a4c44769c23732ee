import './address.css'
import { groupsOfFour } from './groups.ts'

/** An address whole, in groups of four. A screen reader and a selection get it unbroken. */
export function Address({ value }: { value: string }) {
  let offset = 0
  const groups = groupsOfFour(value).map((text) => {
    const group = { text, at: offset }
    offset += text.length
    return group
  })
  return (
    <span className="address">
      <span className="visually-hidden">{value}</span>
      <span aria-hidden="true" className="address-groups">
        {groups.map((group) => (
          <span key={group.at}>{group.text}</span>
        ))}
      </span>
    </span>
  )
}
