package io.github.leafmint.spring.boot.typedid;

import io.github.leafmint.ids.TypedId;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.validation.DataBinder.NameResolver;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.server.ResponseStatusException;

/**
 * Keeps forms from making a typed id of its number. Spring calls the constructor of a class that it takes for a part of
 * the form, so that {@code id.value=42} would pass for the text of the id.
 */
@ControllerAdvice
class TypedIdBinding {
    @InitBinder
    void refuseNumbers(WebDataBinder binder) {
        NameResolver others = binder.getNameResolver();
        binder.setNameResolver(parameter -> {
            refuseNumber(parameter);
            return others == null ? null : others.resolveName(parameter);
        });
    }

    private static void refuseNumber(MethodParameter parameter) {
        if (TypedId.class.isAssignableFrom(parameter.getDeclaringClass())) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "an id is a text, not a number");
        }
    }
}
