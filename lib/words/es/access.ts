import type { AccessWords } from "../en/access.ts";

export const access: AccessWords = {
  faults: {
    keyRefused: "Esta clave de acceso ya no se acepta.",
    silent: "El servidor no ha respondido.",
    unreachable: "No se puede conectar con el servidor.",
    limited: "Demasiadas peticiones.",
    foreign:
      "Esta respuesta no es del servicio: quizá un portal intermedio pide antes algo, o el servicio es más nuevo que esta página. Vuelva a cargar la página.",
    keyless: "Esta respuesta no contiene ninguna clave.",
    unreadable: "No se han podido leer los datos del mapa.",
    damaged: ({ reason }) => `El campo del mapa está dañado: ${reason}`,
    failed: ({ status }) => `El servidor no ha podido responder (${status}).`,
    rejected: ({ problems }) => `El servidor no acepta esta petición. ${problems}`,
  },
  key: {
    label: "Clave de acceso",
    titles: {
      absent: "Se necesita una clave de acceso",
      refused: "Esta clave ha sido rechazada",
      asked: "Introducir una clave de acceso",
    },
    reasons: {
      absent: "El servidor mostró una al iniciarse por primera vez. Solo se envía a este servidor.",
      refused: "Puede estar mal escrita, caducada o revocada. Pida otra a quien gestiona este servicio.",
      asked: "Quien gestiona este servicio entrega las claves. Una clave solo se envía a este servidor.",
    },
    use: "Usar esta clave",
    goOnWithout: "Continuar sin clave",
    remember: "Recordarla en este dispositivo",
    rememberWhy:
      "Si no, desaparece al cerrar la pestaña. Cualquiera que use este dispositivo puede usar una clave recordada.",
  },
  offered: {
    title: "Este enlace trae otra clave de acceso",
    ofTab: "Esta pestaña usa",
    ofLink: "El enlace trae",
    meaning:
      "Las tareas pertenecen al titular de la clave con la que se enviaron. Con la clave del enlace, su titular puede leer lo que usted pide, y usted deja de ver sus propias tareas. Úsela solo si sabe de quién es.",
    keep: "Conservar mi clave",
    take: "Usar la clave del enlace",
  },
  revoked: {
    text: "Su clave de acceso ya no se acepta. Lo que se muestra se leyó antes y puede ser antiguo; no se lee nada nuevo.",
    enter: "Introducir otra clave",
  },
  status: {
    inUse: ({ key }) => `Esta pestaña usa la clave ${key}.`,
    remembered: "Permanece en este dispositivo hasta que usted la olvide y nunca forma parte de un enlace.",
    kept: "Se conserva hasta que se cierre la pestaña y nunca forma parte de un enlace.",
    forget: "Olvidar esta clave",
    visitor:
      "Consulta el mapa como visitante, sin clave de acceso. Las tareas y las peticiones grandes necesitan una.",
    enter: "Introducir una clave",
  },
  made: {
    title: "Crear su clave de acceso",
    explanation: "El enlace de su correo crea una clave. Funciona una sola vez.",
    make: "Crear mi clave",
    doneTitle: "Su clave de acceso",
    shownOnce:
      "Solo se muestra ahora. Guárdela donde guarda sus contraseñas: los programas también la necesitan.",
    copy: "Copiar la clave",
    copyFailed: "Seleccione la clave de arriba y cópiela",
  },
  asked: {
    label: "¿Aún no tiene clave? Reciba un enlace en su dirección de correo:",
    send: "Enviar el enlace",
    sent: "Si el correo llega a esta dirección, el enlace está en camino. Funciona una vez, durante una hora.",
  },
};
