
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * Who may control zones.  nginx lets everybody connect to its sockets, so that
 * the peer is looked at: over a unix socket the user of the process, over TCP
 * its address and the token it sends.
 *
 * The socket itself is asked.  What nginx has of the client may come from
 * real_ip or the PROXY protocol, and so from the client.
 */


static const char *ngx_http_miqps_peer_user(ngx_http_request_t *r,
    ngx_http_miqps_control_t *control);
static const char *ngx_http_miqps_peer_token(ngx_http_request_t *r,
    ngx_http_miqps_control_t *control);
static ngx_uint_t ngx_http_miqps_peer_equal(ngx_str_t *given,
    ngx_str_t *token);


const char *
ngx_http_miqps_control_refuse(ngx_http_request_t *r,
    ngx_http_miqps_control_t *control)
{
    socklen_t        len;
    ngx_sockaddr_t   peer;

    len = sizeof(ngx_sockaddr_t);
    ngx_memzero(&peer, sizeof(ngx_sockaddr_t));

    if (getpeername(r->connection->fd, &peer.sockaddr, &len) == -1) {
        return "its socket does not tell who it is";
    }

    switch (peer.sockaddr.sa_family) {

#if (NGX_HAVE_UNIX_DOMAIN)
    case AF_UNIX:
        return ngx_http_miqps_peer_user(r, control);
#endif

#if (NGX_HAVE_INET6)
    case AF_INET6:
#endif
    case AF_INET:
        break;

    default:
        return "it came over a socket of an unknown kind";
    }

    if (control->cidrs == NULL) {
        return "there is no \"allow\" in \"miqps_control\", only unix sockets "
               "may be used";
    }

    if (ngx_cidr_match(&peer.sockaddr, control->cidrs) != NGX_OK) {
        return "its address is not in \"allow\" of \"miqps_control\"";
    }

    return ngx_http_miqps_peer_token(r, control);
}


static const char *
ngx_http_miqps_peer_user(ngx_http_request_t *r,
    ngx_http_miqps_control_t *control)
{
#if (NGX_LINUX && defined SO_PEERCRED)

    uid_t         *uid;
    socklen_t      len;
    ngx_uint_t     i;
    struct ucred   cred;

    len = sizeof(struct ucred);

    if (getsockopt(r->connection->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len)
        == -1
        || len != sizeof(struct ucred) || cred.uid == (uid_t) -1)
    {
        return "its socket does not tell of which user it is";
    }

    if (cred.uid == 0 || cred.uid == geteuid()) {
        return NULL;
    }

    if (control->uids != NULL) {
        uid = control->uids->elts;

        for (i = 0; i < control->uids->nelts; i++) {
            if (cred.uid == uid[i]) {
                return NULL;
            }
        }
    }

    return "its process is neither of root, nor of the user of nginx, nor of "
           "one in \"allow_uid\" of \"miqps_control\"";

#else

    return "this system does not tell of which user it is";

#endif
}


static const char *
ngx_http_miqps_peer_token(ngx_http_request_t *r,
    ngx_http_miqps_control_t *control)
{
    ngx_str_t        *given;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    static ngx_str_t  name = ngx_string("x-miqps-token");

    given = NULL;

    for (part = &r->headers_in.headers.part; part; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (h[i].key.len != name.len
                || ngx_strncasecmp(h[i].key.data, name.data, name.len) != 0)
            {
                continue;
            }

            if (given != NULL) {
                return "it sent X-Miqps-Token twice";
            }

            given = &h[i].value;
        }
    }

    if (given == NULL) {
        return "it sent no X-Miqps-Token";
    }

    return ngx_http_miqps_peer_equal(given, &control->token)
           ? NULL : "it sent another X-Miqps-Token";
}


/* takes as long for a token that is nearly right as for any other */

static ngx_uint_t
ngx_http_miqps_peer_equal(ngx_str_t *given, ngx_str_t *token)
{
    size_t           i;
    volatile u_char  differ;

    if (given->len != token->len || token->len == 0) {
        return 0;
    }

    differ = 0;

    for (i = 0; i < token->len; i++) {
        differ |= given->data[i] ^ token->data[i];
    }

    return differ == 0;
}
