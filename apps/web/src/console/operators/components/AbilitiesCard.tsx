import { useTranslation } from 'react-i18next'
import { IconCheck } from '../../../ui/icons.ts'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { useAbilityTableQuery } from '../api.ts'

/** What each role may do, as the server enforces it. */
export function AbilitiesCard() {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  const { role: own } = useAbilities()
  const query = useAbilityTableQuery()
  return (
    <section className="card">
      <h2 className="table-title">{t('abilities.title')}</h2>
      <p className="muted small operators-note">{t('abilities.text')}</p>
      <Loaded query={query} hold={<Skeleton width="100%" height={300} />}>
        {({ roles, abilities }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
          <section className="abilities-box" aria-label={t('abilities.title')} tabIndex={0}>
            <table className="abilities">
              <thead>
                <tr>
                  <th scope="col">{t('abilities.what')}</th>
                  {roles.map((role) => (
                    <th key={role} scope="col" data-own={role === own}>
                      {t(`console/shared:role.${role}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {abilities.map(({ name, roles: who }) => (
                  <tr key={name}>
                    <th scope="row">{t(`ability.${name}`)}</th>
                    {roles.map((role) => (
                      <td key={role} data-own={role === own}>
                        {who.includes(role) ? (
                          <IconCheck size={17} stroke={2} role="img" aria-label={t('abilities.yes')} />
                        ) : (
                          <span className="faint">
                            <span aria-hidden="true">–</span>
                            <span className="visually-hidden">{t('abilities.no')}</span>
                          </span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Loaded>
    </section>
  )
}
